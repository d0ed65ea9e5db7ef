from houses import Open


def test_x(house: Open) -> None:
    from guests import BETS

    g = house.guest()
    for t in BETS:
        print(g.play(t)["net"], t)


def test_y(own_house: Open) -> None:
    from guests import BETS

    g = own_house.guest()
    for t in BETS:
        print(g.play(t)["net"], t)
